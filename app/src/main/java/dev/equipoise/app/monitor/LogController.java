package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API of run logs, as lines of text or page by page. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1")
class LogController {

    private static final int MAX_PAGE = 500;
    private static final String OLDEST_FIRST = "at";
    private static final String ORDER = "-?at";
    private static final String TEXT = "text/plain;charset=UTF-8";

    private final RunLog log;

    LogController(RunLog log) {
        this.log = log;
    }

    /**
     * Page of a log, in the requested order.
     *
     * @param items lines of the page
     * @param next cursor of the next page; null for the last page
     */
    @Schema(name = "LogPage")
    record LogPage(List<LogLine> items, @Nullable String next) {}

    /**
     * Returns a page of the log, oldest line first or, for {@code -at}, newest first.
     *
     * @param sort {@code at} for the oldest line first, {@code -at} for the newest
     * @param limit lines of a page; of a text the most lines, all if left out
     */
    @ApiResponse(
            responseCode = "200",
            description =
                    "Lines with time, source and text; for Accept: application/json, page by page",
            content = {
                @Content(mediaType = MediaType.TEXT_PLAIN_VALUE, schema = @Schema(type = "string")),
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = LogPage.class))
            })
    @GetMapping(path = "/runs/{id}/log", produces = MediaType.APPLICATION_JSON_VALUE)
    LogPage getRunLog(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = OLDEST_FIRST) @Pattern(regexp = ORDER) String sort,
            @RequestParam(defaultValue = "100") @Min(1) @Max(MAX_PAGE) int limit) {
        List<LogLine> page = page(caller, RunId.of(id), sort, place(cursor), limit);
        return new LogPage(
                page, Cursor.next(page, limit, it -> new Cursor(List.of(String.valueOf(it.id())))));
    }

    /** Writes the log as text while it reads it, so that one page at a time is in memory. */
    @Hidden
    @GetMapping("/runs/{id}/log")
    void text(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = OLDEST_FIRST) @Pattern(regexp = ORDER) String sort,
            @RequestParam(required = false) @Min(1) @Max(MAX_PAGE) @Nullable Integer limit,
            HttpServletResponse response)
            throws IOException {
        int most = limit == null ? MAX_PAGE : limit;
        List<LogLine> page = page(caller, RunId.of(id), sort, place(cursor), most);
        response.setContentType(TEXT);
        OutputStream out = response.getOutputStream();
        write(page, out);
        while (limit == null && page.size() == MAX_PAGE) {
            Long lastId = page.getLast().id();
            page = page(caller, RunId.of(id), sort, lastId, MAX_PAGE);
            write(page, out);
        }
    }

    /** Returns the lines that follow an id in the requested order; null for the first lines. */
    private List<LogLine> page(
            Caller.User caller, RunId id, String sort, @Nullable Long lastId, int limit) {
        return sort.equals(OLDEST_FIRST)
                ? log.after(caller, id, lastId == null ? 0 : lastId, limit)
                : log.before(caller, id, lastId == null ? Long.MAX_VALUE : lastId, limit);
    }

    private static void write(List<LogLine> lines, OutputStream out) throws IOException {
        for (LogLine line : lines) {
            out.write((line.line() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static @Nullable Long place(@Nullable String cursor) {
        return Cursor.read(cursor, keys -> Long.valueOf(keys.getFirst())).orElse(null);
    }
}
