package dev.equipoise.app.bundle;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.experiment.StoredExperiment;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.problem.LargerBodies;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Bundles: write one, make an experiment of one, read what came with it. */
@RestController
@RequestMapping("/api/v1")
class BundleController {

    private static final String ZIP = "application/zip";
    private static final int MOST_BYTES = 16 << 20;

    private final Bundles bundles;

    BundleController(Bundles bundles) {
        this.bundles = bundles;
    }

    @Configuration(proxyBeanMethods = false)
    static class Limits {

        @Bean
        LargerBodies bundleBodies() {
            return new LargerBodies(BundleGate.BUNDLES, MOST_BYTES);
        }
    }

    @ApiResponse(
            responseCode = "200",
            description = "The study in one file",
            content =
                    @Content(mediaType = ZIP, schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "409", description = "A run of it is not over")
    @GetMapping("/experiments/{id}/bundle")
    void bundle(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Min(1) @Nullable Integer version,
            HttpServletResponse response)
            throws IOException {
        Bundles.Finished finished = bundles.finished(caller, id, version);
        response.setContentType(ZIP);
        response.setHeader(
                HttpHeaders.CONTENT_DISPOSITION,
                ContentDisposition.attachment()
                        .filename("experiment-%s.zip".formatted(id))
                        .build()
                        .toString());
        bundles.write(caller, finished, response.getOutputStream());
    }

    @ApiResponse(responseCode = "201", description = "An experiment was made of it")
    @ApiResponse(responseCode = "200", description = "It was there already")
    @PostMapping(path = "/projects/{project}/bundles", consumes = ZIP)
    ResponseEntity<StoredExperiment> take(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @RequestBody @Schema(type = "string", format = "binary") byte[] bundle) {
        Bundles.Taken taken = bundles.take(caller, project, bundle);
        return ResponseEntity.status(taken.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
                .body(taken.experiment());
    }

    /** What another lab has measured, of an experiment that was made of a bundle. */
    @GetMapping("/experiments/{id}/imported")
    ImportedView imported(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Size(max = Cursor.LONGEST) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        return bundles.imported(caller, id, cursor, limit);
    }
}
