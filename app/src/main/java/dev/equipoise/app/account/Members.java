package dev.equipoise.app.account;

import dev.equipoise.app.problem.Problem;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Manages the members of projects. */
@Service
class Members {

    private final MembershipRepository memberships;
    private final UserRepository users;
    private final Projects projects;
    private final Audit audit;
    private final Clock clock;

    Members(
            MembershipRepository memberships,
            UserRepository users,
            Projects projects,
            Audit audit,
            Clock clock) {
        this.memberships = memberships;
        this.users = users;
        this.projects = projects;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Member of a project.
     *
     * @param user id of the user
     * @param name name of the user
     * @param role role in the project
     * @param since time at which the user became a member
     */
    record Member(UUID user, String name, Role role, Instant since) {}

    @Transactional(readOnly = true)
    List<Member> of(Caller.User caller, UUID project) {
        projects.require(caller, project);
        List<Membership> all = memberships.findByKeyProjectIdOrderBySince(project);
        Map<UUID, LabUser> byId =
                users.findAllById(all.stream().map(Membership::user).toList()).stream()
                        .collect(Collectors.toMap(LabUser::id, Function.identity()));
        return all.stream()
                .map(it -> member(it, Objects.requireNonNull(byId.get(it.user()))))
                .toList();
    }

    /** Makes a user a member, or gives a member another role. */
    @Transactional
    Member put(Caller.User caller, UUID project, UUID user, Role role) {
        projects.require(caller, Role.OWNER, project);
        LabUser account = users.findById(user).orElseThrow(() -> Problem.notFound("user", user));
        Membership membership = findOrCreate(project, user, role);
        membership.become(role);
        audit.note(
                caller,
                Change.of("member-set", "user", user)
                        .in(project)
                        .with("name", account.name())
                        .with("role", role.toString()));
        return member(membership, account);
    }

    private Membership findOrCreate(UUID project, UUID user, Role role) {
        return memberships
                .findById(new Membership.Key(project, user))
                .orElseGet(() ->
                        memberships.save(new Membership(project, user, role, clock.instant())));
    }

    @Transactional
    void remove(Caller.User caller, UUID project, UUID user) {
        projects.require(caller, Role.OWNER, project);
        Membership membership =
                memberships
                        .findById(new Membership.Key(project, user))
                        .orElseThrow(() -> Problem.notFound("member", user));
        memberships.delete(membership);
        audit.note(caller, Change.of("member-removed", "user", user).in(project));
    }

    private static Member member(Membership membership, LabUser account) {
        return new Member(account.id(), account.name(), membership.role(), membership.since());
    }
}
