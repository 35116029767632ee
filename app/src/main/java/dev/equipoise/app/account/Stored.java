package dev.equipoise.app.account;

import java.util.UUID;

/** What a module stores of projects. */
public interface Stored {

    /** How much room what it has of a project takes, about; cheap enough for each submission. */
    long bytes(UUID project);
}
