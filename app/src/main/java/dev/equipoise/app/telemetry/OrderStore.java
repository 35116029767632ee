package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunReport.Decided;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/** Store of the execution orders of recorded runs, one part for each thread and epoch. */
@Component
public class OrderStore {

    /** Parts of a page, together at most 0.5 MB. */
    private static final Limit PARTS_AT_ONCE = Limit.of(10);

    private final OrderPartRepository parts;

    OrderStore(OrderPartRepository parts) {
        this.parts = parts;
    }

    public void keep(UUID run, Decided decided) {
        parts.save(new ExecutionOrderPart(run, decided));
    }

    /**
     * Returns a page of an execution order, as far as agents have reported it.
     *
     * @param after the {@code next} of the page before; 0 for the first
     */
    public RecordedOrder page(UUID run, long after) {
        List<ExecutionOrderPart> some =
                parts.findByRunIdAndIdGreaterThanOrderById(run, after, PARTS_AT_ONCE);
        return new RecordedOrder(
                some.stream().map(ExecutionOrderPart::decided).toList(),
                some.size() < PARTS_AT_ONCE.max() ? null : some.getLast().id());
    }

    /** Deletes the parts after the epoch to whose end a run goes back. */
    public void deleteAfter(UUID run, int epoch) {
        parts.deleteAfter(run, epoch);
    }
}
