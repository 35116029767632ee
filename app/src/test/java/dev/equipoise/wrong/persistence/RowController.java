package dev.equipoise.wrong.persistence;

import java.util.List;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RowController {

    private final RowRepository rows;

    RowController(RowRepository rows) {
        this.rows = rows;
    }

    /** Hides an entity in a type argument. */
    List<Row> all() {
        return List.of(rows.findById(1L).orElseThrow());
    }
}
