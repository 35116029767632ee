package dev.equipoise.app.account;

import java.util.UUID;

/**
 * Contents of projects that a module stores, other than what the database removes with the row of a
 * project. The beans have an order: each is removed before those to which its rows refer.
 */
public interface ProjectContents {

    /** Returns what they are, in the plural, for example {@code runs}. */
    String kind();

    long count(UUID project);

    /** Returns how many of them are at work, so that the project cannot be removed. */
    long countActive(UUID project);

    /** Removes all of a project, in the transaction that removes the project. */
    void removeAll(UUID project);
}
