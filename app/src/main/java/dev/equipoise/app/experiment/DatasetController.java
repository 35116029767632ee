package dev.equipoise.app.experiment;

import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.PublishedDatasets;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the published data sets that a definition may name. */
@RestController
@RequestMapping("/api/v1")
class DatasetController {

    record DatasetList(List<DatasetDescription> items) {}

    @GetMapping("/datasets")
    DatasetList datasets() {
        return new DatasetList(PublishedDatasets.all());
    }
}
