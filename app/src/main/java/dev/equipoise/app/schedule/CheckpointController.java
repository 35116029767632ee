package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.checkpoint.StoredPart;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunCheckpoints;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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

/** Where each rank of a run leaves its part of a checkpoint, and fetches parts to go on. */
@RestController
@RequestMapping("/api/v1/assignments/{id}")
class CheckpointController {

    private final Reports reports;
    private final RunLifecycle runs;
    private final RunCheckpoints wanted;
    private final Checkpoints checkpoints;
    private final OldCheckpoints old;

    CheckpointController(
            Reports reports,
            RunLifecycle runs,
            RunCheckpoints wanted,
            Checkpoints checkpoints,
            OldCheckpoints old) {
        this.reports = reports;
        this.runs = runs;
        this.wanted = wanted;
        this.checkpoints = checkpoints;
        this.old = old;
    }

    /** The part of the assignment's rank, once the service wants it; again is no harm. */
    @io.swagger.v3.oas.annotations.parameters.RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @PutMapping(path = "/checkpoints/{epoch}", consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void keep(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @PathVariable int epoch,
            HttpServletRequest request)
            throws IOException {
        Reports.Part part = reports.openPart(agent.worker(), AssignmentId.of(id));
        InputStream body = request.getInputStream();
        long length = request.getContentLengthLong();
        if (length > checkpoints.largest()) {
            throw tooLarge(part, epoch, body, length);
        }
        CheckpointHeader header = wanted(part, epoch, body, length);
        try {
            checkpoints.write(header, body);
        } catch (Problem refused) {
            if (refused.code() == ErrorCode.NO_ROOM) {
                runs.refuse(part.run(), String.valueOf(refused.getMessage()), false);
            }
            throw refused;
        }
        keep(agent, AssignmentId.of(id), header);
    }

    /** Much may have become of its run, and of who sent it, while it came. */
    private void keep(Caller.Agent agent, AssignmentId id, CheckpointHeader header) {
        boolean isKept = false;
        try {
            var _ = reports.openPart(agent.worker(), id);
            wanted.keep(header);
            isKept = true;
        } finally {
            if (!isKept) {
                old.discard(header);
            }
        }
    }

    /** The run would be asked for the same after each of its epochs. */
    private Problem tooLarge(Reports.Part part, int epoch, InputStream body, long length)
            throws IOException {
        String rule =
                "A rank's part of a checkpoint has at most %d bytes here, and this has %d"
                        .formatted(checkpoints.largest(), length);
        Problem problem = Problem.of(ErrorCode.BODY_TOO_LARGE, rule);
        try {
            wanted(part, epoch, body, length);
            runs.refuse(part.run(), rule, true);
        } catch (Problem other) {
            // It is not the checkpoint that the run was asked for, which may be smaller.
            problem.addSuppressed(other);
        }
        return problem;
    }

    private CheckpointHeader wanted(Reports.Part part, int epoch, InputStream body, long length)
            throws IOException {
        CheckpointHeader header = Checkpoints.header(body);
        requireFits(header, part, epoch, length);
        wanted.requireWanted(header);
        return header;
    }

    private static void requireFits(
            CheckpointHeader header, Reports.Part part, int epoch, long length) {
        if (!header.run().equals(part.run())
                || header.rank() != part.rank()
                || header.epoch() != epoch) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The checkpoint must be of rank %d of run %s after epoch %d, but was %s"
                            .formatted(part.rank(), part.run(), epoch, header));
        }
        if (length != header.fileBytes()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The body must tell its length, %d bytes for %s, but told %d"
                            .formatted(header.fileBytes(), header, length));
        }
    }

    /** A part of the one with which an assignment begins. */
    @ApiResponse(
            responseCode = "200",
            description = "The part that a rank has left",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @GetMapping("/checkpoint/{part}")
    ResponseEntity<Resource> find(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @PathVariable int part)
            throws IOException {
        RunId run = reports.openPart(agent.worker(), AssignmentId.of(id)).run();
        Checkpoints.Kept kept =
                checkpoints
                        .find(run, wanted.begunWith(run))
                        .filter(it -> part >= 0 && part < it.ranks())
                        .orElseThrow(() -> none(run, part));
        StoredPart found =
                checkpoints.open(run, kept, part).orElseThrow(() -> lost(run, kept, part));
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .contentLength(found.bytes())
                .body(new InputStreamResource(found.content()));
    }

    private Problem lost(RunId run, Checkpoints.Kept kept, int part) {
        wanted.lose(run, kept, part);
        return none(run, part);
    }

    private static Problem none(RunId run, int part) {
        return Problem.notFound("checkpoint of run %s, part".formatted(run), part);
    }
}
