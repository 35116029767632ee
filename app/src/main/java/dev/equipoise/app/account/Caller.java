package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.rate.RateLimitSubject;
import dev.equipoise.protocol.WorkerId;
import java.security.Principal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The authenticated sender of a request. */
public sealed interface Caller extends Principal, RateLimitSubject {

    /**
     * A person or a script.
     *
     * @param account the user of the token or session; null for a service account token
     * @param credential the token or session; the token of a session that a token began
     */
    record User(String name, @Nullable UUID account, UUID credential, Access access)
            implements Caller {

        /** Tells whether the caller may see the project. */
        public boolean maySee(UUID project) {
            return access.allows(Role.VIEWER, project);
        }

        /**
         * Checks that the caller has at least a role in a project that it may see.
         *
         * @throws Problem {@code forbidden} if its role is lower
         */
        public void require(Role needed, UUID project) {
            if (!access.allows(needed, project)) {
                throw Problem.of(
                        ErrorCode.FORBIDDEN,
                        "The call requires the role %s in the project, but the caller has the role %s"
                                .formatted(needed, access.in(project).orElseThrow()));
            }
        }

        /** Tells whether the caller is an administrator of the lab. */
        public boolean isAdministrator() {
            return access.isAdministrator();
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public String countedAs() {
            return (account == null ? credential : account).toString();
        }
    }

    /** An agent with a join token, which may register as a new worker. */
    record Newcomer(UUID token) implements Caller {

        @Override
        public String getName() {
            return "newcomer";
        }

        @Override
        public String countedAs() {
            return token.toString();
        }
    }

    /** An agent of a worker that has left; it may only return. */
    record DepartedAgent(WorkerId worker) implements Caller {

        @Override
        public String getName() {
            return worker.toString();
        }

        @Override
        public String countedAs() {
            return worker.toString();
        }
    }

    /**
     * A registered agent.
     *
     * @param credentialSince when the agent chose its current credential
     */
    record Agent(WorkerId worker, Instant credentialSince) implements Caller {

        @Override
        public String getName() {
            return worker.toString();
        }

        @Override
        public String countedAs() {
            return worker.toString();
        }
    }
}
