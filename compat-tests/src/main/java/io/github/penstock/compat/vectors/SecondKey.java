package io.github.penstock.compat.vectors;

import com.google.gson.annotations.SerializedName;
import io.github.penstock.testkit.model.StoredValue;
import org.jspecify.annotations.Nullable;

/**
 * Another key that a call works on, which is written whenever the first is.
 *
 * @param name its short name, which the runner makes unique
 * @param before what to put under it before the call; null to leave what is there
 * @param stored what is under it afterwards
 */
public record SecondKey(
    @SerializedName("key") String name, @Nullable StoredValue before, StoredValue stored) {}
