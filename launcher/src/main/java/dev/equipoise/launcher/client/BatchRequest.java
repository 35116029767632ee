package dev.equipoise.launcher.client;

import dev.equipoise.launcher.RequestRejected;
import dev.equipoise.launcher.ServiceUnreachable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Sends a request for each of several resources, also after the service has rejected one. */
record BatchRequest(Output output) {

    /**
     * The results of the accepted requests.
     *
     * @param rejected number of requests that were rejected or not answered, as has been written
     */
    record Results<T>(List<T> accepted, int rejected) {

        int status() {
            return rejected == 0 ? ExitStatus.OK : ExitStatus.FAILED;
        }
    }

    /** Stops after a request without an answer, and keeps what the service has accepted before. */
    <T> Results<T> of(List<String> ids, Function<String, T> request) {
        List<T> accepted = new ArrayList<>();
        for (String id : ids) {
            try {
                accepted.add(request.apply(id));
            } catch (RequestRejected rejected) {
                output.error(String.join("; ", rejected.reasons()) + " (" + id + ")");
            } catch (ServiceUnreachable unreachable) {
                output.error(
                        "%s (%s); ids after it were not tried"
                                .formatted(unreachable.getMessage(), id));
                break;
            }
        }
        return new Results<>(accepted, ids.size() - accepted.size());
    }

    /** Returns a count of runs, workers and the like. */
    static String count(int number, String kind) {
        return "%d %s%s".formatted(number, kind, number == 1 ? "" : "s");
    }
}
