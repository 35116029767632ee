package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.run.ExecutionOrders;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Min;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API of the execution orders of recorded runs. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1")
class OrderController {

    private final ExecutionOrders orders;

    OrderController(ExecutionOrders orders) {
        this.orders = orders;
    }

    /**
     * Returns a part of the execution order of a recorded run, which a replay repeats.
     *
     * @param after number of the last exchange that the caller has
     */
    @GetMapping("/runs/{id}/order")
    RecordedOrder getExecutionOrder(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after) {
        return orders.find(caller, RunId.of(id), after);
    }
}
