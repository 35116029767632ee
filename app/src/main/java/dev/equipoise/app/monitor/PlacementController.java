package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API of the placements of runs: the worker and share of each rank in each generation. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1")
class PlacementController {

    private static final int MAX_PAGE = 100;

    private final RunLog log;

    PlacementController(RunLog log) {
        this.log = log;
    }

    /**
     * Page of generations, newest first.
     *
     * @param items placements of the page
     * @param next cursor of the next page; null for the last page
     */
    @Schema(name = "PlacementList")
    record PlacementList(List<PlacementView> items, @Nullable String next) {}

    /** Lists the placements of a run, the newest generation first. */
    @GetMapping("/runs/{id}/placements")
    PlacementList listPlacements(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(MAX_PAGE) int limit) {
        long before =
                Cursor.read(cursor, keys -> Long.parseLong(keys.getFirst())).orElse(Long.MAX_VALUE);
        List<PlacementView> page = log.placements(caller, RunId.of(id), before, limit);
        return new PlacementList(
                page, Cursor.next(page, limit, it -> new Cursor(List.of(String.valueOf(it.id())))));
    }
}
