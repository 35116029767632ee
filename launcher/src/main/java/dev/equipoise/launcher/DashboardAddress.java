package dev.equipoise.launcher;

import java.net.URI;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Addresses of pages of the dashboard. */
public final class DashboardAddress {

    private DashboardAddress() {}

    public static String ofRun(URI service, String run) {
        return ServiceApi.below(service, "/runs/" + run).toString();
    }

    /** Returns the page that compares the runs with the first one. */
    public static String ofComparison(URI service, List<String> runs) {
        String ids = JsonMapper.shared().writeValueAsString(runs);
        return ServiceApi.below(service, "/compare?runs=" + ServiceApi.encoded(ids)).toString();
    }
}
