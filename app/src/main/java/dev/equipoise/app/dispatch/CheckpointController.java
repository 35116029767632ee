package dev.equipoise.app.dispatch;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.checkpoint.StoredPart;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.Preemptions;
import dev.equipoise.app.run.RunCheckpoints;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.UUID;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The API by which ranks upload their checkpoint parts and download parts to resume from. */
@Tag(name = "Agents")
@RestController
@RequestMapping("/api/v1/assignments/{id}")
class CheckpointController {

    private final ReportReceiver reports;
    private final Preemptions preemptions;
    private final RunCheckpoints runCheckpoints;
    private final Checkpoints checkpoints;
    private final OldCheckpoints old;

    CheckpointController(
            ReportReceiver reports,
            Preemptions preemptions,
            RunCheckpoints runCheckpoints,
            Checkpoints checkpoints,
            OldCheckpoints old) {
        this.reports = reports;
        this.preemptions = preemptions;
        this.runCheckpoints = runCheckpoints;
        this.checkpoints = checkpoints;
        this.old = old;
    }

    /**
     * Stores the part of the assignment's rank, if the service wants it. Idempotent.
     *
     * @param epoch epoch after which the rank has written the part
     */
    @io.swagger.v3.oas.annotations.parameters.RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @PutMapping(path = "/checkpoints/{epoch}", consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void uploadCheckpointPart(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @PathVariable int epoch,
            HttpServletRequest request)
            throws IOException {
        ReportReceiver.AssignedRank part = reports.openRank(agent.worker(), AssignmentId.of(id));
        InputStream body = request.getInputStream();
        long length = request.getContentLengthLong();
        if (length > checkpoints.largest()) {
            throw tooLarge(part, epoch, body, length);
        }
        CheckpointHeader header = wanted(part, epoch, body, length);
        try {
            checkpoints.write(header, body);
        } catch (Problem rejection) {
            if (rejection.code() == ErrorCode.NO_ROOM) {
                preemptions.refuse(part.run(), String.valueOf(rejection.getMessage()), false);
            }
            throw rejection;
        }
        keep(agent, AssignmentId.of(id), header);
    }

    /** Checks run and assignment again: both may have ended during the upload. */
    private void keep(Caller.Agent agent, AssignmentId id, CheckpointHeader header) {
        boolean isKept = false;
        try {
            var _ = reports.openRank(agent.worker(), id);
            runCheckpoints.keep(header);
            isKept = true;
        } finally {
            if (!isKept) {
                old.discard(header);
            }
        }
    }

    /** Records a lasting refusal, or the run would be asked for the same part after each epoch. */
    private Problem tooLarge(
            ReportReceiver.AssignedRank part, int epoch, InputStream body, long length)
            throws IOException {
        String rule =
                "the checkpoint part has %d bytes, but at most %d are allowed: increase equipoise.checkpoint.largest"
                        .formatted(length, checkpoints.largest());
        Problem problem = Problem.of(ErrorCode.BODY_TOO_LARGE, rule);
        try {
            wanted(part, epoch, body, length);
            preemptions.refuse(part.run(), rule, true);
        } catch (Problem other) {
            // This part was not asked for; the part that was asked for may be smaller.
            problem.addSuppressed(other);
        }
        return problem;
    }

    private CheckpointHeader wanted(
            ReportReceiver.AssignedRank part, int epoch, InputStream body, long length)
            throws IOException {
        CheckpointHeader header = Checkpoints.header(body);
        requireFits(header, part, epoch);
        requireLength(header, length);
        runCheckpoints.requireWanted(header);
        return header;
    }

    private static void requireFits(
            CheckpointHeader header, ReportReceiver.AssignedRank part, int epoch) {
        if (!header.run().equals(part.run())
                || header.rank() != part.rank()
                || header.epoch() != epoch) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The checkpoint must be of rank %d of run %s after epoch %d, but was %s"
                            .formatted(part.rank(), part.run(), epoch, header));
        }
    }

    private static void requireLength(CheckpointHeader header, long length) {
        if (length != header.fileBytes()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "Content-Length must be %d bytes for %s, but was %d"
                            .formatted(header.fileBytes(), header, length));
        }
    }

    /**
     * Returns a part of the checkpoint with which an assignment begins.
     *
     * @param part rank that has written the part
     */
    @ApiResponse(
            responseCode = "200",
            description = "The stored part of a rank",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "409", description = "The assignment has ended")
    @GetMapping("/checkpoint/{part}")
    ResponseEntity<Resource> downloadCheckpointPart(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @PathVariable int part)
            throws IOException {
        RunId run = reports.openRank(agent.worker(), AssignmentId.of(id)).run();
        StoredPart found = open(run, part);
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .contentLength(found.bytes())
                .body(new InputStreamResource(found.content()));
    }

    private StoredPart open(RunId run, int part) throws IOException {
        Checkpoints.StoredCheckpoint kept =
                checkpoints
                        .find(run, runCheckpoints.begunWith(run))
                        .filter(it -> part >= 0 && part < it.ranks())
                        .orElseThrow(() -> none(run, part));
        return checkpoints.open(run, kept, part).orElseThrow(() -> lost(run, kept, part));
    }

    private Problem lost(RunId run, Checkpoints.StoredCheckpoint kept, int part) {
        runCheckpoints.lose(run, kept, part);
        return none(run, part);
    }

    private static Problem none(RunId run, int part) {
        return Problem.notFound("checkpoint of run %s, part".formatted(run), part);
    }
}
