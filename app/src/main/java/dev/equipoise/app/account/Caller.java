package dev.equipoise.app.account;

import dev.equipoise.protocol.WorkerId;
import java.security.Principal;
import java.util.UUID;

/** Who sent a request, as its token tells. */
public sealed interface Caller extends Principal {

    /** A person or script. */
    sealed interface User extends Caller {

        /** Whether the caller may see and change what belongs to the project. */
        boolean mayUse(UUID project);
    }

    /** Runs the lab: every project, every worker, tokens. */
    record Administrator(String name) implements User {

        @Override
        public boolean mayUse(UUID project) {
            return true;
        }

        @Override
        public String getName() {
            return name;
        }
    }

    /** Works in one project. */
    record Member(String name, UUID project) implements User {

        @Override
        public boolean mayUse(UUID other) {
            return project.equals(other);
        }

        @Override
        public String getName() {
            return name;
        }
    }

    /** An agent that may register once. */
    record Newcomer(UUID token) implements Caller {

        @Override
        public String getName() {
            return "newcomer";
        }
    }

    /** A registered agent. */
    record Agent(WorkerId worker) implements Caller {

        @Override
        public String getName() {
            return worker.toString();
        }
    }
}
