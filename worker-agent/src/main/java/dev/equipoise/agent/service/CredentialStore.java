package dev.equipoise.agent.service;

import dev.equipoise.protocol.Credential;

/** Stores the newest credential of a worker before its agent uses it. */
@FunctionalInterface
public interface CredentialStore {

    /**
     * Stores the newest credential.
     *
     * @param first credential at registration
     * @return whether it is on disk, if there is a disk
     */
    boolean renew(Credential first, Credential newest);
}
