package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.run.ExecutionOrders;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.RunId;
import jakarta.validation.constraints.Min;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API of the execution orders of recorded runs. */
@RestController
@RequestMapping("/api/v1")
class OrderController {

    private final ExecutionOrders orders;

    OrderController(ExecutionOrders orders) {
        this.orders = orders;
    }

    @GetMapping("/runs/{id}/order")
    RecordedOrder order(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after) {
        return orders.find(caller, RunId.of(id), after);
    }
}
