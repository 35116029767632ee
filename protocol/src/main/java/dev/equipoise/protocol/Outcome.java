package dev.equipoise.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Outcome of an assignment, which is its last event. */
public sealed interface Outcome extends AgentEvent {

    /** Longest message of a failure, in characters. A longer message is truncated, not rejected. */
    int MAX_MESSAGE = 10_000;

    /** The assignment has completed. */
    record Finished() implements Outcome, RunReport, ProfileReport, LinkReport {}

    /**
     * The assignment has failed.
     *
     * @param cause who must act
     * @param code code for programs, in kebab case, for example {@code dataset-corrupt}
     * @param message one sentence for people, truncated to {@link Outcome#MAX_MESSAGE}; NUL
     *     characters, which no database accepts, are removed, and other control characters, which
     *     could begin a line of a log, become blanks
     */
    record Failed(FailureCause cause, String code, String message)
            implements Outcome, RunReport, ProfileReport, LinkReport {

        public Failed {
            Rules.present("cause", cause);
            Rules.displayText("code", code, 100);
            Rules.present("message", message);
            String text = DisplayText.clean(message.replace("\0", ""));
            message = text.substring(0, Math.min(text.length(), MAX_MESSAGE));
        }
    }

    /**
     * A preempted rank has stopped after an epoch whose checkpoint the service has.
     *
     * @param rank rank, from 0
     * @param epoch epoch, from 1
     */
    record Preempted(int rank, int epoch) implements Outcome, RunReport {

        public Preempted {
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("epoch", epoch, 1);
        }
    }

    /**
     * A rank that lost contact with others is suspended. It retains its state until the service
     * tells it with which ranks to continue.
     *
     * @param rank rank, from 0
     * @param held retained state; null if there is none from which others could continue
     * @param missing ranks whose agents are no longer visible, if any
     */
    record Interrupted(int rank, @Nullable RetainedPoint held, List<Integer> missing)
            implements Outcome, RunReport {

        /**
         * Position and weights of the recovery point that an interrupted rank retains in memory.
         *
         * @param position epoch and round of the recovery point
         * @param parameters checksum of the weights
         */
        public record RetainedPoint(Position position, String parameters) {

            public RetainedPoint {
                Rules.present("position", position);
                Rules.text("parameters", parameters, RunReport.MAX_CHECKSUM);
            }
        }

        public Interrupted {
            Rules.atLeast("rank", rank, 0);
            Rules.present("missing", missing);
            missing = List.copyOf(missing);
            missing.forEach(each -> Rules.atLeast("missing", each, 0));
        }
    }
}
