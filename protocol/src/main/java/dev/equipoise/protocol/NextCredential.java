package dev.equipoise.protocol;

/**
 * What a worker asks to go by from now on. The one that it has stays good until this one is used
 * for the first time, so that the same may be asked again where the answer was lost.
 *
 * @param credential the bearer token of the worker, chosen by itself
 */
public record NextCredential(Credential credential) implements AgentMessage {

    public NextCredential {
        Rules.present("credential", credential);
    }
}
