package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.filter.Condition;
import dev.equipoise.app.filter.FilterParser;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.RunId;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Cancels and deletes several runs at once. Each run is changed in a transaction of its own, as by
 * the request for that run alone, and a rejected run does not stop the others. A request with an
 * idempotency key is one transaction.
 */
@Service
class RunBatches {

    /** Limit of the runs of a request. */
    static final int MAX_RUNS = 1000;

    private final RunFilters filters;
    private final RunSearch search;
    private final RunChanges changes;

    RunBatches(RunFilters filters, RunSearch search, RunChanges changes) {
        this.filters = filters;
        this.search = search;
        this.changes = changes;
    }

    /**
     * Runs of a request: the ones with these ids, or the ones that fulfill a filter.
     *
     * @param ids ids of the runs; null if there is a filter
     * @param filter condition in the filter language; null if there are ids
     * @param expectedCount number of runs that fulfill the filter, as the caller has seen them;
     *     null with ids
     */
    record RunSelection(
            @Nullable @Size(min = 1, max = MAX_RUNS) List<@NotNull UUID> ids,
            @Nullable @Size(min = 1, max = FilterParser.MAX_LENGTH) String filter,
            @Nullable @Min(0) @Max(MAX_RUNS) Integer expectedCount) {}

    /**
     * Outcome of a change for one run.
     *
     * @param id id of the run
     * @param done whether it was changed
     * @param code problem code of the rejection, as of a request for this run alone; null if it was
     *     changed
     * @param detail reason of the rejection; null if it was changed
     */
    record ChangedRun(RunId id, boolean done, @Nullable String code, @Nullable String detail) {

        static ChangedRun done(RunId id) {
            return new ChangedRun(id, true, null, null);
        }

        static ChangedRun rejected(RunId id, Problem why) {
            return new ChangedRun(id, false, why.code().code(), why.getMessage());
        }
    }

    /**
     * Outcomes of a change for all runs of a request.
     *
     * @param items outcomes in the order of the ids, or newest first
     * @param done number of changed runs
     */
    record ChangedRuns(List<ChangedRun> items, int done) {

        static ChangedRuns of(List<ChangedRun> items) {
            return new ChangedRuns(
                    items, Math.toIntExact(items.stream().filter(ChangedRun::done).count()));
        }
    }

    /** Change of one run. */
    private interface RunChange {

        ChangedRun apply(Caller.User caller, RunId id, @Nullable Condition condition);
    }

    ChangedRuns cancel(Caller.User caller, RunSelection selection) {
        return change(caller, selection, changes::tryCancel);
    }

    ChangedRuns remove(Caller.User caller, RunSelection selection) {
        return change(caller, selection, changes::tryRemove);
    }

    private ChangedRuns change(Caller.User caller, RunSelection selection, RunChange change) {
        requireEither(selection);
        if (selection.ids() != null) {
            return each(caller, selection.ids().stream().distinct().toList(), null, change);
        }
        Condition condition = filters.parse("/filter", selection.filter());
        if (condition == null) {
            throw invalid("/filter", "must not be blank");
        }
        return each(caller, find(caller, condition, selection.expectedCount()), condition, change);
    }

    private static void requireEither(RunSelection selection) {
        if ((selection.ids() == null) == (selection.filter() == null)) {
            throw invalid("", "must have either ids or a filter");
        }
        if ((selection.filter() == null) != (selection.expectedCount() == null)) {
            throw invalid(
                    "/expectedCount",
                    "must be the number of runs that fulfill the filter; must be missing with ids");
        }
    }

    private static Problem invalid(String pointer, String rule) {
        return Problem.of(ErrorCode.INVALID_REQUEST, List.of(new Violation(pointer, rule, null)));
    }

    /** Finds the runs of a filter, which must be as many as the caller expects. */
    private List<UUID> find(
            Caller.User caller, Condition condition, @Nullable Integer expectedCount) {
        List<UUID> found =
                search
                        .find(
                                caller.access().visible(),
                                RunSearch.Filter.of(condition),
                                RunOrder.DEFAULT,
                                null,
                                MAX_RUNS + 1)
                        .stream()
                        .map(RunSearch.Found::id)
                        .toList();
        if (expectedCount == null || found.size() != expectedCount) {
            String count =
                    found.size() > MAX_RUNS
                            ? "more than " + MAX_RUNS
                            : Integer.toString(found.size());
            throw Problem.of(
                    ErrorCode.PRECONDITION_FAILED,
                    "%s runs fulfill the filter, but expectedCount is %s: list them again"
                            .formatted(count, expectedCount));
        }
        return found;
    }

    /** Changes runs in the order of their ids, so that two requests do not wait for each other. */
    private static ChangedRuns each(
            Caller.User caller, List<UUID> ids, @Nullable Condition condition, RunChange change) {
        Map<UUID, ChangedRun> changed = new TreeMap<>();
        ids.stream()
                .sorted()
                .forEach(id -> changed.put(id, outcome(caller, RunId.of(id), condition, change)));
        List<ChangedRun> items = new ArrayList<>();
        ids.stream().map(changed::get).flatMap(Stream::ofNullable).forEach(items::add);
        return ChangedRuns.of(items);
    }

    /** The runs before one that cannot be changed now are changed, so the caller gets them all. */
    private static ChangedRun outcome(
            Caller.User caller, RunId id, @Nullable Condition condition, RunChange change) {
        try {
            return change.apply(caller, id, condition);
        } catch (ConcurrencyFailureException | QueryTimeoutException failure) {
            if (TransactionSynchronizationManager.isActualTransactionActive()) {
                // The request is one transaction, with which all changes end.
                throw failure;
            }
            return ChangedRun.rejected(
                    id,
                    Problem.of(
                            ErrorCode.CONFLICT,
                            "Run %s could not be locked or read in time: try again".formatted(id)));
        }
    }
}
