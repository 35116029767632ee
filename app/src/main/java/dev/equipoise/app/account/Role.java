package dev.equipoise.app.account;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** A role; each role includes all rights of the roles before it. */
public enum Role {
    /** May see a project. */
    @JsonProperty("viewer")
    VIEWER,
    /** May define experiments, and queue and cancel runs. */
    @JsonProperty("editor")
    EDITOR,
    /** May manage the members of a project. */
    @JsonProperty("owner")
    OWNER,
    /** May manage the lab: its users, workers and quotas. Never the role of a member. */
    @JsonProperty("administrator")
    ADMINISTRATOR;

    /** Tells whether this role includes the rights of the other. */
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
