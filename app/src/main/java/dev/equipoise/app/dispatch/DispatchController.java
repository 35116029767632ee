package dev.equipoise.app.dispatch;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.run.ExecutionOrders;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
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

/** The API by which agents lease assignments and report on them. */
@Tag(name = "Agents")
@RestController
@RequestMapping("/api/v1")
class DispatchController {

    private final AssignmentLeases leases;
    private final ReportReceiver reports;
    private final ExecutionOrders orders;
    private final WorkNotifier notifier;
    private final Ticker ticker;

    DispatchController(
            AssignmentLeases leases,
            ReportReceiver reports,
            ExecutionOrders orders,
            WorkNotifier notifier,
            Ticker ticker) {
        this.leases = leases;
        this.reports = reports;
        this.orders = orders;
        this.notifier = notifier;
        this.ticker = ticker;
    }

    /**
     * Returns an assignment as soon as there is one (long polling, RFC 6202), or 204 after the wait
     * time.
     *
     * @param wait limit of the wait, in seconds
     */
    @ApiResponse(responseCode = "200", description = "An assignment")
    @ApiResponse(responseCode = "204", description = "No assignment yet", content = @Content)
    @PostMapping("/agents/{id}/lease")
    ResponseEntity<Assignment> leaseAssignment(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "20") @Min(0) @Max(30) int wait)
            throws InterruptedException {
        if (!agent.worker().value().equals(id)) {
            throw Problem.notFound("worker", id);
        }
        leases.releaseUnassigned(agent.worker());
        return await(agent.worker(), Duration.ofSeconds(wait))
                .map(ResponseEntity::ok)
                .orElseGet(() -> ResponseEntity.noContent().build());
    }

    private Optional<Assignment> await(WorkerId worker, Duration wait) throws InterruptedException {
        long begun = ticker.read();
        try (WorkNotifier.Waiter waiter = notifier.register(worker)) {
            Optional<Assignment> assignment = leases.claim(worker);
            while (true) {
                Duration left = wait.minusNanos(ticker.read() - begun);
                if (assignment.isPresent() || !left.isPositive() || !waiter.await(left)) {
                    return assignment;
                }
                assignment = leases.claimAgain(worker);
            }
        }
    }

    /**
     * Returns a part of the execution order that the run of an assignment replays.
     *
     * @param after number of the last exchange that the caller has
     */
    @GetMapping("/assignments/{id}/order")
    RecordedOrder getAssignmentOrder(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after) {
        return orders.findRepeated(reports.run(agent.worker(), AssignmentId.of(id)), after);
    }

    /**
     * Takes events of a rank, in the order of their numbers. Events that were taken before are
     * skipped. Conflicts are retried here, since an agent takes a rejected report for the loss of
     * its assignment.
     */
    @RetryOnConflict
    @ApiResponse(responseCode = "200", description = "Stored; the reply has requests")
    @ApiResponse(responseCode = "204", description = "Stored", content = @Content)
    @PostMapping("/assignments/{id}/events")
    ResponseEntity<ReportReply> reportEvents(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestBody Report report) {
        ReportReply reply = reports.take(agent.worker(), AssignmentId.of(id), report);
        return reply.equals(ReportReply.NONE)
                ? ResponseEntity.noContent().build()
                : ResponseEntity.ok(reply);
    }
}
