package dev.equipoise.launcher.client;

import dev.equipoise.launcher.RequestRejected;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Does something with each of several resources, also after the service has rejected one. */
record BatchRequest(Output output) {

    /**
     * The results of the accepted requests.
     *
     * @param rejected number of rejected requests, whose reasons have been written
     */
    record Results<T>(List<T> accepted, int rejected) {

        int status() {
            return rejected == 0 ? ExitStatus.OK : ExitStatus.FAILED;
        }
    }

    <T> Results<T> of(List<String> ids, Function<String, T> request) {
        List<T> accepted = new ArrayList<>();
        ids.forEach(id -> attempt(id, request).ifPresent(accepted::add));
        return new Results<>(accepted, ids.size() - accepted.size());
    }

    private <T> Optional<T> attempt(String id, Function<String, T> request) {
        try {
            return Optional.of(request.apply(id));
        } catch (RequestRejected rejected) {
            output.error(String.join("; ", rejected.reasons()) + " (" + id + ")");
            return Optional.empty();
        }
    }

    /** Returns a count of runs, workers and the like. */
    static String count(int number, String kind) {
        return "%d %s%s".formatted(number, kind, number == 1 ? "" : "s");
    }
}
