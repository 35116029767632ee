package dev.equipoise.app.account;

import dev.equipoise.app.rate.Counted;
import dev.equipoise.protocol.WorkerId;
import java.security.Principal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who sent a request, as its token tells. */
public sealed interface Caller extends Principal, Counted {

    /**
     * A person or script.
     *
     * @param account the user whose token or session it is; null where a token stands for itself
     * @param credential the token or session
     */
    record User(String name, @Nullable UUID account, UUID credential, Access access)
            implements Caller {

        /** Whether the caller may see what belongs to the project. */
        public boolean maySee(UUID project) {
            return access.allows(Role.VIEWER, project);
        }

        /** Whether the caller runs the lab. */
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

    /** An agent that may register once. */
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

    /**
     * A registered agent.
     *
     * @param credentialSince when it chose the credential that it goes by
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
