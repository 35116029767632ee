package dev.equipoise.app.recovery;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.Outcome.Interrupted.RetainedPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a rank has stopped training before the end: suspended for a reconfiguration, or lost. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = StoppedRank.Waiting.class, name = "waiting"),
    @JsonSubTypes.Type(value = StoppedRank.Lost.class, name = "lost")
})
public sealed interface StoppedRank {

    /** Describes the reason for people, in one line. */
    default String description() {
        return switch (this) {
            case Waiting(var held, var missing) ->
                    "suspended%s%s"
                            .formatted(
                                    held == null
                                            ? ""
                                            : " at epoch %d, round %d"
                                                    .formatted(
                                                            held.position().epoch(),
                                                            held.position().round()),
                                    missing.isEmpty()
                                            ? ""
                                            : "; lost contact with ranks " + missing);
            case Lost(var failure) -> "is lost: " + failure.message();
        };
    }

    /**
     * The rank is suspended at a recovery point until the service reconfigures the run.
     *
     * @param held retained state; null if there is none
     * @param missing ranks that it has lost contact with
     */
    record Waiting(@Nullable RetainedPoint held, List<Integer> missing) implements StoppedRank {

        public Waiting {
            missing = List.copyOf(missing);
        }
    }

    /** The rank is lost. */
    record Lost(RunFailure failure) implements StoppedRank {}
}
