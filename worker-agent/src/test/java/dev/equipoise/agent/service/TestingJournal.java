package dev.equipoise.agent.service;

import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import java.net.URI;
import java.security.SecureRandom;
import java.util.UUID;

/** Journals of a sample assignment. */
final class TestingJournal {

    static final Journal.Owner OWNER = owner(3);

    private TestingJournal() {}

    static Journal none(int generation) {
        return new Journal(owner(generation), null);
    }

    private static Journal.Owner owner(int generation) {
        return new Journal.Owner(
                URI.create("http://lab.example"),
                Credential.random(new SecureRandom()),
                AssignmentId.of(UUID.randomUUID()),
                generation);
    }
}
