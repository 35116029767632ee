package dev.equipoise.app.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.AgentEvent.Interrupted.Held;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a rank of a run that lost ranks trains no more. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Standstill.Waiting.class, name = "waiting"),
    @JsonSubTypes.Type(value = Standstill.Lost.class, name = "lost")
})
public sealed interface Standstill {

    /**
     * It waits to be told with whom it goes on.
     *
     * @param held what it has in memory; null where that is nothing
     * @param missing the ranks that it sees no more
     */
    record Waiting(@Nullable Held held, List<Integer> missing) implements Standstill {

        public Waiting {
            missing = List.copyOf(missing);
        }
    }

    /** It is lost to the run. */
    record Lost(RunFailure failure) implements Standstill {}
}
