package dev.equipoise.app.account;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What somebody may do, each role all that those before it may. */
public enum Role {
    /** Sees a project. */
    @JsonProperty("viewer")
    VIEWER,
    /** Defines experiments, and queues and cancels runs. */
    @JsonProperty("editor")
    EDITOR,
    /** Says who belongs to a project. */
    @JsonProperty("owner")
    OWNER,
    /** Runs the lab: its users, workers, quotas; never the role of a member. */
    @JsonProperty("administrator")
    ADMINISTRATOR;

    /** Whether whoever has this role may do what needs the other. */
    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }

    Role atMost(Role limit) {
        return includes(limit) ? limit : this;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
