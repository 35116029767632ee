package dev.equipoise.app.dispatch;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.checkpoint.ModelUpload;
import dev.equipoise.app.checkpoint.Models;
import dev.equipoise.app.checkpoint.StoredPart;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunModels;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.ContentDigest;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The API by which a rank uploads the trained model of its run, and downloads its initial one. */
@Tag(name = "Agents")
@RestController
@RequestMapping("/api/v1/assignments/{id}")
class ModelUploadController {

    private final ReportReceiver reports;
    private final RunModels runModels;
    private final Models models;
    private final OldModels old;

    ModelUploadController(
            ReportReceiver reports, RunModels runModels, Models models, OldModels old) {
        this.reports = reports;
        this.runModels = runModels;
        this.models = models;
        this.old = old;
    }

    /**
     * Stores a safetensors file with the tensors of the run's network, unless the run has a better
     * one. Idempotent.
     *
     * @param epoch after which the model was evaluated
     * @param rank rank that has it
     * @param accuracy on the test set
     * @param loss on the test set, mean over the predictions
     * @param digest SHA-256 digest of the body, as in RFC 9530
     */
    @io.swagger.v3.oas.annotations.parameters.RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @PutMapping(path = "/model/{epoch}", consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void uploadModel(
            @AuthenticationPrincipal Caller.Agent agent,
            @PathVariable UUID id,
            @PathVariable int epoch,
            @RequestParam int rank,
            @RequestParam double accuracy,
            @RequestParam double loss,
            @RequestHeader(name = ContentDigest.HEADER, required = false) @Nullable String digest,
            HttpServletRequest request)
            throws IOException {
        AssignmentId assignment = AssignmentId.of(id);
        Models.Origin origin = origin(agent, assignment, rank);
        ModelScore score = score(epoch, accuracy, loss);
        RunModels.WantedModel wanted = runModels.requireWanted(origin, score);
        ModelUpload upload =
                ModelUpload.open(request.getInputStream(), length(request), digestIn(digest));
        requireTensors(upload, wanted);
        runModels.requireRoom(origin.run(), upload.bytesWith(wanted.metadata()));
        ModelUpload.WrittenModel file = models.write(origin, epoch, upload, wanted.metadata());
        record(agent, assignment, origin, score, file);
    }

    /**
     * Returns the rank that has the model: that of the worker or, if one worker has all ranks, the
     * named one.
     */
    private Models.Origin origin(Caller.Agent agent, AssignmentId assignment, int rank) {
        ReportReceiver.AssignedRank part = reports.openRank(agent.worker(), assignment);
        runModels.requireRank(part.run(), part.rank(), rank);
        return new Models.Origin(part.run(), part.generation(), rank);
    }

    private static ModelScore score(int epoch, double accuracy, double loss) {
        try {
            return new ModelScore(epoch, accuracy, loss);
        } catch (IllegalArgumentException e) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private static byte[] digestIn(@Nullable String header) {
        if (header == null) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, ContentDigest.HEADER + " must be given");
        }
        try {
            return ContentDigest.sha256(header);
        } catch (IllegalArgumentException e) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private long length(HttpServletRequest request) {
        long length = request.getContentLengthLong();
        if (length < 0) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST, "Content-Length must be the size of the model file");
        }
        if (length > models.largest()) {
            throw Problem.of(
                    ErrorCode.BODY_TOO_LARGE,
                    "the model has %d bytes, but at most %d are allowed: increase equipoise.model.largest"
                            .formatted(length, models.largest()));
        }
        return length;
    }

    private static void requireTensors(ModelUpload upload, RunModels.WantedModel wanted) {
        if (!upload.tensors().equals(wanted.tensors())) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The model has %d tensors, which are not the %d of the run's network in their order"
                            .formatted(upload.tensors().size(), wanted.tensors().size()));
        }
    }

    /** Checks run and assignment again: both may have ended during the upload. */
    private void record(
            Caller.Agent agent,
            AssignmentId assignment,
            Models.Origin origin,
            ModelScore score,
            ModelUpload.WrittenModel file) {
        boolean isKept = false;
        try {
            var _ = reports.openRank(agent.worker(), assignment);
            isKept = runModels.keep(origin, score, file);
        } finally {
            if (!isKept) {
                old.discard(origin, score.epoch(), file.upload());
            }
        }
    }

    /** Returns the model with whose weights the run of an assignment begins. */
    @ApiResponse(
            responseCode = "200",
            description = "The model file",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "409", description = "The assignment has ended")
    @GetMapping("/initial-model")
    ResponseEntity<Resource> downloadInitialModel(
            @AuthenticationPrincipal Caller.Agent agent, @PathVariable UUID id) throws IOException {
        RunId run = reports.openRank(agent.worker(), AssignmentId.of(id)).run();
        RunModels.SourceModel source = runModels.initialOf(run);
        StoredPart found =
                models.open(source.run(), source.model())
                        .orElseThrow(() -> Problem.notFound("model of run", source.run()));
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .contentLength(found.bytes())
                .body(new InputStreamResource(found.content()));
    }
}
