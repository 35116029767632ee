package dev.equipoise.protocol;

import dev.equipoise.protocol.AgentEvent.Decided;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the order of events of a run: what each thread of each rank has decided, in its order.
 *
 * @param next where the following part begins; null after the last
 */
public record RecordedOrder(List<Decided> items, @Nullable Long next) implements ServiceMessage {

    public RecordedOrder {
        Rules.present("items", items);
        items = List.copyOf(items);
    }
}
