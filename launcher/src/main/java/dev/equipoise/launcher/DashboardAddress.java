package dev.equipoise.launcher;

import java.net.URI;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Addresses of pages of the dashboard. */
public final class DashboardAddress {

    private DashboardAddress() {}

    /**
     * Returns the link that signs one browser in.
     *
     * @param code one-time code, of which browsers send nothing to the service in the address
     */
    public static String ofSignIn(URI service, String code) {
        return ServiceApi.below(service, "/sign-in#code=" + ServiceApi.encoded(code)).toString();
    }

    public static String ofRun(URI service, String run) {
        return ServiceApi.below(service, "/runs/" + run).toString();
    }

    /** Returns the page that compares the runs with the first one. */
    public static String ofComparison(URI service, List<String> runs) {
        String ids = JsonMapper.shared().writeValueAsString(runs);
        return ServiceApi.below(service, "/compare?runs=" + ServiceApi.encoded(ids)).toString();
    }
}
