package dev.equipoise.protocol;

/**
 * Request of a worker to replace its credential. The old credential stays valid until the first use
 * of the new one, so that the request can be repeated if the answer was lost.
 *
 * @param credential new bearer token, chosen by the worker
 */
public record NextCredential(Credential credential) implements AgentMessage {

    public NextCredential {
        Rules.present("credential", credential);
    }
}
