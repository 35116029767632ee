package dev.equipoise.app.account;

import dev.equipoise.app.page.Cursor;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Serves the audit log: of the lab to administrators, of a project to its owners. */
@Tag(name = "Audit")
@RestController
@RequestMapping("/api/v1/audit")
class AuditController {

    private final Audit audit;
    private final Projects projects;

    AuditController(Audit audit, Projects projects) {
        this.audit = audit;
        this.projects = projects;
    }

    /**
     * Page of entries.
     *
     * @param items entries of the page
     * @param next cursor of the next page; null for the last page
     */
    record AuditList(List<AuditView> items, @Nullable String next) {}

    /**
     * Lists the changes that people have made, newest first.
     *
     * @param project the only project whose changes come, for its owners and administrators, who
     *     may also name a deleted one; without it, those of the whole lab, for administrators
     */
    @GetMapping
    AuditList listAuditEntries(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam(required = false) @Nullable UUID project,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        requireReader(caller, project);
        long before =
                Cursor.read(cursor, keys -> Long.parseLong(keys.getFirst())).orElse(Long.MAX_VALUE);
        List<AuditView> page = audit.read(project, before, limit);
        return new AuditList(
                page, Cursor.next(page, limit, it -> new Cursor(List.of(Long.toString(it.id())))));
    }

    private void requireReader(Caller.User caller, @Nullable UUID project) {
        if (project != null && !caller.isAdministrator()) {
            projects.require(caller, Role.OWNER, project);
        } else {
            projects.requireAdministrator(caller);
        }
    }
}
