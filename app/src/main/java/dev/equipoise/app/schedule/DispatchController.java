package dev.equipoise.app.schedule;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RepeatedWhenOutrun;
import dev.equipoise.app.run.Orders;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Where agents fetch work and report on it. */
@RestController
@RequestMapping("/api/v1")
class DispatchController {

    private final Leases leases;
    private final Reports reports;
    private final Orders orders;
    private final Bell bell;
    private final Ticker ticker;

    DispatchController(Leases leases, Reports reports, Orders orders, Bell bell, Ticker ticker) {
        this.leases = leases;
        this.reports = reports;
        this.orders = orders;
        this.bell = bell;
        this.ticker = ticker;
    }

    /**
     * Answers as soon as there is work, or with 204 when the time is over.
     *
     * @param wait seconds
     */
    @ApiResponse(responseCode = "200", description = "Work")
    @ApiResponse(responseCode = "204", description = "Nothing to do yet", content = @Content)
    @PostMapping("/agents/{id}/lease")
    ResponseEntity<Assignment> lease(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "20") @Min(0) @Max(30) int wait)
            throws InterruptedException {
        if (!agent.worker().value().equals(id)) {
            throw Problem.notFound("worker", id);
        }
        leases.ask(agent.worker());
        return await(agent.worker(), Duration.ofSeconds(wait))
                .map(ResponseEntity::ok)
                .orElseGet(() -> ResponseEntity.noContent().build());
    }

    private Optional<Assignment> await(WorkerId worker, Duration wait) throws InterruptedException {
        long begun = ticker.read();
        try (Bell.Waiter waiter = bell.listen(worker)) {
            while (true) {
                Optional<Assignment> assignment = leases.claim(worker);
                Duration left = wait.minusNanos(ticker.read() - begun);
                if (assignment.isPresent() || !left.isPositive() || !waiter.await(left)) {
                    return assignment;
                }
            }
        }
    }

    /** A part of the order of events that the run of an assignment repeats. */
    @GetMapping("/assignments/{id}/order")
    RecordedOrder order(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after) {
        return orders.findRepeated(reports.run(agent.worker(), AssignmentId.of(id)), after);
    }

    /** A lost race is run again here: to an agent a refusal means that the work is not its own. */
    @RepeatedWhenOutrun
    @ApiResponse(responseCode = "200", description = "Taken, and something is wished")
    @ApiResponse(responseCode = "204", description = "Taken", content = @Content)
    @PostMapping("/assignments/{id}/events")
    ResponseEntity<ReportReply> report(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestBody Report report) {
        ReportReply wish = reports.take(agent.worker(), AssignmentId.of(id), report);
        return wish.equals(ReportReply.NONE)
                ? ResponseEntity.noContent().build()
                : ResponseEntity.ok(wish);
    }
}
