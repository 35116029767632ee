package dev.equipoise.app.bundle;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.problem.BodyLimitExemption;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.net.URI;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Serves study bundles: export, import, and the imported results. */
@Tag(name = "Experiments")
@RestController
@RequestMapping("/api/v1")
class BundleController {

    private static final String ZIP = "application/zip";
    private static final int MAX_BYTES = 16 << 20;

    private final BundleExport exports;
    private final BundleImport imports;

    BundleController(BundleExport exports, BundleImport imports) {
        this.exports = exports;
        this.imports = imports;
    }

    @Configuration(proxyBeanMethods = false)
    static class Limits {

        @Bean
        BodyLimitExemption bundleBodies() {
            return new BodyLimitExemption(BundleUploadFilter.BUNDLES, MAX_BYTES, false);
        }
    }

    /**
     * Returns an experiment whose runs have ended, with all figures, as a study bundle.
     *
     * @param version version of the experiment; the latest without it
     */
    @ApiResponse(
            responseCode = "200",
            description = "The study in one file",
            content =
                    @Content(mediaType = ZIP, schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "409", description = "A run of the experiment has not ended")
    @GetMapping("/experiments/{id}/bundle")
    void exportBundle(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Min(1) @Nullable Integer version,
            HttpServletResponse response)
            throws IOException {
        BundleExport.Finished finished = exports.finished(caller, id, version);
        response.setContentType(ZIP);
        response.setHeader(HttpHeaders.CONTENT_DISPOSITION, attachment(id).toString());
        exports.write(caller, finished, response.getOutputStream());
    }

    private static ContentDisposition attachment(UUID experiment) {
        return ContentDisposition.attachment()
                .filename("experiment-%s.zip".formatted(experiment))
                .build();
    }

    /**
     * Creates an experiment from a study bundle, and keeps the figures of the other lab beside it.
     */
    @ApiResponse(responseCode = "201", description = "An experiment was created from the bundle")
    @ApiResponse(responseCode = "200", description = "The bundle was imported before")
    @PostMapping(path = "/projects/{project}/bundles", consumes = ZIP)
    ResponseEntity<StoredExperiment> importBundle(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @RequestBody @Schema(type = "string", format = "binary") byte[] bundle) {
        BundleImport.Imported imported = imports.take(caller, project, bundle);
        StoredExperiment experiment = imported.experiment();
        return imported.isNew()
                ? ResponseEntity.created(URI.create("/api/v1/experiments/" + experiment.id()))
                        .body(experiment)
                : ResponseEntity.ok(experiment);
    }

    /** Returns the results of another lab for an experiment that was created from a bundle. */
    @GetMapping("/experiments/{id}/imported")
    ImportedView getImportedResults(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        return imports.imported(caller, id, cursor, limit);
    }
}
