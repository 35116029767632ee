package dev.equipoise.app.worker;

import dev.equipoise.protocol.Registration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Differences between a worker and its next registration that make measurements stale, in words.
 *
 * @param host changes of hardware and software, which make its profiles and links stale
 * @param place another host name, or another host in the data address, which makes its links stale
 */
record WorkerChanges(List<String> host, List<String> place) {

    WorkerChanges {
        host = List.copyOf(host);
        place = List.copyOf(place);
    }

    /**
     * Compares a worker with its next registration. Another port is no difference, nor is an
     * address that one of both lacks.
     */
    static WorkerChanges between(LabWorker before, Registration now) {
        List<String> place = new ArrayList<>();
        compare("host", before.host().name(), now.host().name(), place);
        String address = before.dataAddress();
        String next = now.dataAddress();
        if (address != null && next != null) {
            compare("address", hostOf(address), hostOf(next), place);
        }
        return new WorkerChanges(before.host().changes(now.host()), place);
    }

    private static void compare(String what, String before, String now, List<String> changes) {
        if (!before.equals(now)) {
            changes.add("%s %s, now %s".formatted(what, before, now));
        }
    }

    private static String hostOf(String address) {
        return address.substring(0, address.lastIndexOf(':'));
    }

    boolean areNone() {
        return host.isEmpty() && place.isEmpty();
    }

    /** Says which measurements of the worker are stale, and why; null if none are. */
    @Nullable String sentence() {
        if (areNone()) {
            return null;
        }
        List<String> all = new ArrayList<>(host);
        all.addAll(place);
        return host.isEmpty()
                ? "links are stale, since it has moved: " + String.join("; ", all)
                : "profiles and links are stale, since its host has changed: "
                        + String.join("; ", all);
    }
}
