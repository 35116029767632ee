package dev.equipoise.app.worker;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The API by which an agent registers, sends heartbeats, renews its credential and leaves. */
@Tag(name = "Agents")
@RestController
@RequestMapping("/api/v1/agents")
class AgentController {

    private final Workers workers;
    private final WorkerRegistrations registrations;
    private final ClusterName clusterName;

    AgentController(Workers workers, WorkerRegistrations registrations, ClusterName clusterName) {
        this.workers = workers;
        this.registrations = registrations;
        this.clusterName = clusterName;
    }

    /**
     * Registers an agent: with a join token as bearer, as a new worker; with a worker's credential
     * as bearer, as that worker, which returns.
     */
    @ApiResponse(
            responseCode = "409",
            description =
                    "incompatible-version: the protocols of service and agent are too far apart;"
                            + " unreachable-address: the agent or a worker on another host has a"
                            + " loopback address; illegal-state: the credential is not this"
                            + " worker's")
    @RetryOnConflict
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<Admission> registerAgent(
            @AuthenticationPrincipal Caller caller, @RequestBody Registration registration) {
        String cluster = clusterName.forNewcomer();
        Admission admission =
                switch (caller) {
                    case Caller.Newcomer newcomer ->
                            registrations.register(newcomer, registration, cluster);
                    case Caller.Agent agent ->
                            registrations.register(agent.worker(), registration, cluster);
                    case Caller.DepartedAgent agent ->
                            registrations.register(agent.worker(), registration, cluster);
                    case Caller.User _ ->
                            throw Problem.of(ErrorCode.FORBIDDEN, "Only an agent can register");
                };
        return ResponseEntity.created(URI.create("/api/v1/agents/" + admission.worker()))
                .body(admission);
    }

    /**
     * Reports that the agent lives, with its load and its view of the cluster. The reply tells what
     * it should do next.
     */
    @RetryOnConflict
    @PostMapping("/{id}/heartbeat")
    HeartbeatReply sendHeartbeat(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestBody Heartbeat heartbeat) {
        var _ = self(agent, id);
        return workers.hear(agent, heartbeat);
    }

    /**
     * Accepts the next credential, which the agent has chosen. The current one stays valid until
     * the agent uses the next.
     */
    @RetryOnConflict
    @PutMapping("/{id}/credential")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void renewAgentCredential(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @RequestBody NextCredential next) {
        var _ = self(agent, id);
        workers.renew(agent, next.credential());
    }

    /**
     * Removes the agent from the lab, as it does itself before it ends. Its work goes to others.
     */
    @RetryOnConflict
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void removeAgent(@AuthenticationPrincipal Caller.Agent agent, @PathVariable UUID id) {
        workers.leave(self(agent, id));
    }

    /** Rejects an agent that names another worker than itself. */
    private static WorkerId self(Caller.Agent agent, UUID id) {
        if (!agent.worker().value().equals(id)) {
            throw Problem.notFound("worker", id);
        }
        return agent.worker();
    }
}
