package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.checkpoint.Models.StoredModel;
import dev.equipoise.app.checkpoint.StoredPart;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.protocol.ContentDigest;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** The API by which users download and remove the trained model of a run. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1/runs/{id}/model")
class RunModelController {

    private final KeptModels models;

    RunModelController(KeptModels models) {
        this.models = models;
    }

    /**
     * Returns the trained model as a safetensors file. Its {@code ETag} is the digest of the file,
     * which the run has, too.
     */
    @ApiResponse(
            responseCode = "200",
            description = "The model file",
            headers = @Header(name = HttpHeaders.ETAG, schema = @Schema(type = "string")),
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "304", description = "If-None-Match names it", content = @Content)
    @ApiResponse(responseCode = "404", description = "There is no such run, or it has no model")
    @Parameter(
            in = ParameterIn.HEADER,
            name = HttpHeaders.IF_NONE_MATCH,
            description = "ETag of the file that the caller has",
            schema = @Schema(type = "string"))
    @GetMapping
    @Nullable ResponseEntity<Resource> downloadModel(
            @AuthenticationPrincipal Caller.User caller, @PathVariable UUID id, WebRequest request)
            throws IOException {
        StoredModel model = models.find(caller, RunId.of(id));
        // Before the file is opened: nothing would close it if its content is not sent.
        return request.checkNotModified(tag(model)) ? null : file(id, model);
    }

    private static String tag(StoredModel model) {
        return "\"%s\"".formatted(model.digest());
    }

    private ResponseEntity<Resource> file(UUID run, StoredModel model) throws IOException {
        StoredPart file = models.open(RunId.of(run), model);
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .contentLength(file.bytes())
                .eTag(tag(model))
                .header(
                        ContentDigest.HEADER,
                        ContentDigest.of(HexFormat.of().parseHex(model.digest())))
                .header(HttpHeaders.CONTENT_DISPOSITION, attachment(run, model).toString())
                .body(new InputStreamResource(file.content()));
    }

    private static ContentDisposition attachment(UUID run, StoredModel model) {
        return ContentDisposition.attachment()
                .filename("run-%s-epoch-%d.safetensors".formatted(run, model.score().epoch()))
                .build();
    }

    /** Removes the trained model of an ended run; its figures stay. */
    @RetryOnConflict
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteModel(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        models.remove(caller, RunId.of(id));
    }
}
