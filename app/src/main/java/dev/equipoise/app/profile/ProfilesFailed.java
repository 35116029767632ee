package dev.equipoise.app.profile;

import java.util.Set;
import java.util.UUID;

/** The profiles of a session have failed; published in the transaction that says so. */
public record ProfilesFailed(Set<UUID> profiles) {

    public ProfilesFailed {
        profiles = Set.copyOf(profiles);
    }
}
