package dev.equipoise.app.worker;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.Newest;
import dev.equipoise.app.problem.RepeatedWhenOutrun;
import dev.equipoise.protocol.WorkerId;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The lab at a glance. */
@RestController
@RequestMapping("/api/v1/workers")
class WorkerController {

    private final Workers workers;

    WorkerController(Workers workers) {
        this.workers = workers;
    }

    record WorkerList(List<LabWorker> items, @Nullable String next) {}

    @GetMapping
    WorkerList list(
            @RequestParam(defaultValue = "") Set<WorkerState> state,
            @RequestParam(required = false) @Size(max = Cursor.LONGEST) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<LabWorker> page = workers.list(state, Newest.after(cursor), limit);
        return new WorkerList(
                page,
                Cursor.next(
                        page, limit, it -> new Newest(it.joinedAt(), it.id().value()).cursor()));
    }

    @GetMapping("/{id}")
    LabWorker worker(@PathVariable UUID id) {
        return workers.find(WorkerId.of(id));
    }

    /** Gives it nothing new; what it does goes on. */
    @RepeatedWhenOutrun
    @PostMapping("/{id}/cordon")
    LabWorker cordon(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.cordon(caller, WorkerId.of(id), Cordon.CORDONED);
    }

    /** Lets it be given work again, unless it has been told to leave already. */
    @RepeatedWhenOutrun
    @PostMapping("/{id}/uncordon")
    LabWorker uncordon(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.cordon(caller, WorkerId.of(id), Cordon.OPEN);
    }

    /** Gives it nothing new, and tells it to leave when it is done with what it does. */
    @RepeatedWhenOutrun
    @PostMapping("/{id}/drain")
    LabWorker drain(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.cordon(caller, WorkerId.of(id), Cordon.DRAINED);
    }

    /** Sends it away at once: its credential is worth nothing any more, and its work is lost. */
    @RepeatedWhenOutrun
    @PostMapping("/{id}/expel")
    LabWorker expel(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.expel(caller, WorkerId.of(id));
    }
}
