package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.springframework.core.io.FileSystemResource;
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

/** Where agents leave checkpoints of runs that make room, and fetch them to go on. */
@RestController
@RequestMapping("/api/v1/assignments/{id}")
class CheckpointController {

    private final Reports reports;
    private final RunLifecycle runs;
    private final Checkpoints checkpoints;

    CheckpointController(Reports reports, RunLifecycle runs, Checkpoints checkpoints) {
        this.reports = reports;
        this.runs = runs;
        this.checkpoints = checkpoints;
    }

    /** By rank 0, once the service has asked for it; again is no harm. */
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
        RunId run = reports.runOfFirst(agent.worker(), AssignmentId.of(id));
        InputStream body = request.getInputStream();
        long length = request.getContentLengthLong();
        if (length > checkpoints.largest()) {
            throw tooLarge(run, epoch, body, length);
        }
        CheckpointHeader header = wanted(run, epoch, body, length);
        try {
            checkpoints.write(header, body);
        } catch (Problem refused) {
            if (refused.code() == ErrorCode.NO_ROOM) {
                runs.refuse(run, String.valueOf(refused.getMessage()), false);
            }
            throw refused;
        }
        runs.keep(header);
    }

    /** The run would be asked for the same after each of its epochs. */
    private Problem tooLarge(RunId run, int epoch, InputStream body, long length)
            throws IOException {
        String rule =
                "A checkpoint has at most %d bytes here, and this has %d"
                        .formatted(checkpoints.largest(), length);
        Problem problem = Problem.of(ErrorCode.BODY_TOO_LARGE, rule);
        try {
            wanted(run, epoch, body, length);
            runs.refuse(run, rule, true);
        } catch (Problem other) {
            // It is not the checkpoint that the run was asked for, which may be smaller.
            problem.addSuppressed(other);
        }
        return problem;
    }

    private CheckpointHeader wanted(RunId run, int epoch, InputStream body, long length)
            throws IOException {
        CheckpointHeader header = Checkpoints.header(body);
        requireFits(header, run, epoch, length);
        runs.requireWanted(header);
        return header;
    }

    private static void requireFits(CheckpointHeader header, RunId run, int epoch, long length) {
        if (!header.run().equals(run) || header.epoch() != epoch) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The checkpoint must be of run %s after epoch %d, but was %s"
                            .formatted(run, epoch, header));
        }
        if (length != header.fileBytes()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The body must tell its length, %d bytes for %s, but told %d"
                            .formatted(header.fileBytes(), header, length));
        }
    }

    /** The one with which an assignment begins. */
    @ApiResponse(
            responseCode = "200",
            description = "The checkpoint",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @GetMapping("/checkpoint")
    ResponseEntity<Resource> find(
            @AuthenticationPrincipal Caller.Agent agent, @PathVariable UUID id) {
        RunId run = reports.openRun(agent.worker(), AssignmentId.of(id));
        Path file =
                checkpoints
                        .find(run, runs.checkpoint(run))
                        .filter(Files::isRegularFile)
                        .orElseThrow(() -> Problem.notFound("checkpoint of run", run));
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .body(new FileSystemResource(file));
    }
}
