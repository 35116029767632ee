package dev.equipoise.app.profile;

import java.util.Set;
import java.util.UUID;

/**
 * Profiles of a session have failed, or were cancelled, before they were complete; published in the
 * transaction that says so.
 */
public record ProfilesGivenUp(Set<UUID> profiles) {

    public ProfilesGivenUp {
        profiles = Set.copyOf(profiles);
    }
}
