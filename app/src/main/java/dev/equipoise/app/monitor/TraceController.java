package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * API of the traces of runs. A trace is written while it is read, since it may have millions of
 * slices.
 */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1")
class TraceController {

    private final Traces traces;

    TraceController(Traces traces) {
        this.traces = traces;
    }

    /** Returns the trace of a run, with the slices of all ranks on one clock. */
    @ApiResponse(
            responseCode = "200",
            description = "Trace file for Perfetto or chrome://tracing",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = ChromeTrace.class)))
    @GetMapping("/runs/{id}/trace")
    void downloadTrace(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            HttpServletResponse response)
            throws IOException {
        Traces.Trace trace = traces.find(caller, RunId.of(id));
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.setHeader(
                HttpHeaders.CONTENT_DISPOSITION,
                ContentDisposition.attachment()
                        .filename("run-%s-trace.json".formatted(id))
                        .build()
                        .toString());
        traces.write(trace, response.getOutputStream());
    }
}
