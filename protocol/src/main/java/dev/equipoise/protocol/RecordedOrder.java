package dev.equipoise.protocol;

import dev.equipoise.protocol.RunReport.Decided;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of the execution order of a run: the recorded decisions of each thread of each rank.
 *
 * @param items recorded decisions, by rank, epoch and thread
 * @param next start of the following part; null after the last
 */
public record RecordedOrder(List<Decided> items, @Nullable Long next) implements ServiceMessage {

    public RecordedOrder {
        Rules.present("items", items);
        items = List.copyOf(items);
    }
}
