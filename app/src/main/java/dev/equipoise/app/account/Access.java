package dev.equipoise.app.account;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The roles of a caller.
 *
 * @param everywhere the role in every project, including future ones; null for none
 * @param projects the roles in single projects
 */
public record Access(@Nullable Role everywhere, Map<UUID, Role> projects) {

    public Access {
        projects = Map.copyOf(projects);
    }

    static Access everywhere(Role role) {
        return new Access(role, Map.of());
    }

    static Access within(UUID project, Role role) {
        return new Access(null, Map.of(project, role));
    }

    /** Returns the role in a project. */
    Optional<Role> in(UUID project) {
        return Optional.ofNullable(everywhere == null ? projects.get(project) : everywhere);
    }

    /** Returns the highest role of the caller, or empty if it has none. */
    Optional<Role> highest() {
        return Optional.ofNullable(everywhere)
                .or(() -> projects.values().stream().max(Comparator.naturalOrder()));
    }

    /** Tells whether the caller has at least the role in the project. */
    public boolean allows(Role needed, UUID project) {
        return in(project).filter(role -> role.includes(needed)).isPresent();
    }

    /** Returns the projects that the caller may see, or empty if it may see all. */
    public Optional<Set<UUID>> visible() {
        return everywhere == null ? Optional.of(projects.keySet()) : Optional.empty();
    }

    boolean isAdministrator() {
        return everywhere == Role.ADMINISTRATOR;
    }

    /** Returns this access with every role limited to the given one. */
    Access atMost(Role limit) {
        return new Access(
                everywhere == null ? null : everywhere.atMost(limit),
                projects.entrySet().stream()
                        .collect(
                                toUnmodifiableMap(
                                        Map.Entry::getKey, it -> it.getValue().atMost(limit))));
    }

    /** Returns this access limited to one project. */
    Access onlyIn(UUID project) {
        return in(project)
                .map(role -> within(project, role.atMost(Role.OWNER)))
                .orElseGet(() -> new Access(null, Map.of()));
    }
}
