package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.service.CredentialStore;
import dev.equipoise.agent.service.Journals;

/**
 * Storage of an agent on disk.
 *
 * @param journals events that the service has not confirmed
 * @param state worker that this agent is
 */
record AgentStorage(Journals journals, StateFolder state) {

    /**
     * Returns a store that writes a new credential to the state first: a process that starts again
     * then uses the newest, and not one that its journals have made invalid.
     */
    CredentialStore credentials() {
        return (first, newest) -> state.renew(newest) && journals.renew(first, newest);
    }
}
