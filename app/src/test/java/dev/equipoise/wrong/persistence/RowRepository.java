package dev.equipoise.wrong.persistence;

import org.springframework.data.repository.CrudRepository;

interface RowRepository extends CrudRepository<Row, Long> {}
