package dev.equipoise.wrong.persistence;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A public entity. */
@Entity
public class Row {

    @Id private long id;

    long id() {
        return id;
    }
}
