package dev.equipoise.app.experiment;

import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.PublishedDatasets;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the published data sets that a definition may name. */
@Tag(name = "Catalog")
@RestController
@RequestMapping("/api/v1")
class DatasetController {

    /**
     * All published data sets.
     *
     * @param items data sets
     */
    record DatasetList(List<DatasetDescription> items) {}

    /** Lists the published data sets that a definition may name. */
    @GetMapping("/datasets")
    DatasetList listDatasets() {
        return new DatasetList(PublishedDatasets.all());
    }
}
