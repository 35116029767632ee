package dev.equipoise.app.account;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may do where.
 *
 * @param everywhere the role in every project, those to come included; null for none
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

    /** The role in a project, or none. */
    Optional<Role> in(UUID project) {
        return Optional.ofNullable(everywhere == null ? projects.get(project) : everywhere);
    }

    /** Whether the caller may do in the project what needs the role. */
    public boolean allows(Role needed, UUID project) {
        return in(project).filter(role -> role.includes(needed)).isPresent();
    }

    /** The projects that the caller may see, or none where it may see all. */
    public Optional<Set<UUID>> visible() {
        return everywhere == null ? Optional.of(projects.keySet()) : Optional.empty();
    }

    boolean isAdministrator() {
        return everywhere == Role.ADMINISTRATOR;
    }

    /** The same, but nowhere more than a role. */
    Access atMost(Role limit) {
        return new Access(
                everywhere == null ? null : everywhere.atMost(limit),
                projects.entrySet().stream()
                        .collect(
                                toUnmodifiableMap(
                                        Map.Entry::getKey, it -> it.getValue().atMost(limit))));
    }

    /** The same in one project, and nothing in any other. */
    Access onlyIn(UUID project) {
        return in(project)
                .map(role -> within(project, role.atMost(Role.OWNER)))
                .orElseGet(() -> new Access(null, Map.of()));
    }
}
