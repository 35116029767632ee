package dev.equipoise.launcher.client;

import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.UsageError;
import java.util.List;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The option that bounds a list. */
final class ListOptions {

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "most items; more than a page of the service are read page by page",
            defaultValue = "100",
            showDefaultValue = Visibility.ALWAYS)
    private int limit;

    /** Reads a list, and writes it and whether there is more. */
    int write(ServiceApi api, Query path, ResourceTable table, Output output) {
        check();
        return write(api.list(path.toString(), limit), table, output);
    }

    /** Writes the first items of a list that has been read as a whole. */
    int write(List<JsonNode> all, ResourceTable table, Output output) {
        check();
        List<JsonNode> first = all.stream().limit(limit).toList();
        return write(new ServiceApi.Listing(first, first.size() < all.size()), table, output);
    }

    private void check() {
        if (limit < 1) {
            throw new UsageError("--limit must be at least 1, but was " + limit);
        }
    }

    private static int write(ServiceApi.Listing listing, ResourceTable table, Output output) {
        output.list(table, listing.items());
        if (listing.isCut()) {
            output.message(
                    "there are more than these %d: raise --limit"
                            .formatted(listing.items().size()));
        }
        return ExitStatus.OK;
    }
}
