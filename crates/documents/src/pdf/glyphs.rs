//! Collects the glyphs of a PDF page. The collector is a drawing device that draws nothing.

use hayro_interpret::font::GlyphRun;
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Vec2};
use hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask,
};

/// The maximum number of glyphs that are read of one page.
const MOST_GLYPHS: usize = 200_000;

/// The maximum number of drawing commands that are read of one page. A limit is needed because
/// forms can draw other forms, which multiplies the commands.
const MOST_DRAWN: u32 = 500_000;

/// The text and the position of one glyph. A position has two coordinates, in points: along the
/// writing direction, and at right angles to it (downwards).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Glyph {
    pub(super) text: String,
    pub(super) along: f64,
    pub(super) across: f64,
    /// The position along the writing direction at which the next glyph would begin.
    pub(super) end: f64,
    /// The font size, in points.
    pub(super) size: f64,
    /// The writing direction, as a number of clockwise quarter turns; 0 is left to right.
    pub(super) quarter: i8,
}

#[derive(Default)]
pub(super) struct GlyphCollector {
    pub(super) heard: Vec<Glyph>,
    drawn: u32,
}

impl GlyphCollector {
    /// Counts a drawing command, and panics above the limit, because only a panic can stop the
    /// interpreter. In native programs the panic is caught. In the browser the panic ends the wasm
    /// module, which is then loaded again.
    fn count(&mut self) {
        self.drawn += 1;
        if self.drawn > MOST_DRAWN {
            std::panic::resume_unwind(Box::new("the page draws without end"));
        }
    }

    fn add_glyph(&mut self, text: String, transform: Affine, advance: f64, mode: WritingMode) {
        let origin = transform * Point::ZERO;
        let right = transform * Point::new(1000.0, 0.0) - origin;
        let up = transform * Point::new(0.0, 1000.0) - origin;
        let size = up.hypot();
        let whole = [origin.x, origin.y, right.x, right.y, size];
        if whole.iter().any(|number| !number.is_finite()) || size <= 0.0 {
            return;
        }
        let towards = match mode {
            WritingMode::Horizontal => right,
            WritingMode::Vertical => -up,
        };
        let quarter = quarter(towards);
        let (along, across) = match quarter {
            0 => (origin.x, origin.y),
            1 => (origin.y, -origin.x),
            2 => (-origin.x, -origin.y),
            _ => (-origin.y, origin.x),
        };
        self.heard.push(Glyph {
            text,
            along,
            across,
            end: along + advance * size,
            size,
            quarter,
        });
    }
}

/// Returns the direction, rounded to a number of clockwise quarter turns.
fn quarter(towards: Vec2) -> i8 {
    if towards.x.abs() >= towards.y.abs() {
        if towards.x >= 0.0 { 0 } else { 2 }
    } else if towards.y >= 0.0 {
        1
    } else {
        3
    }
}

impl Device<'_> for GlyphCollector {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, _: &DrawMode) {
        self.count();
        for glyph in run.glyphs() {
            if self.heard.len() >= MOST_GLYPHS {
                return;
            }
            let text = match glyph.as_unicode() {
                Some(BfString::Char(character)) => character.to_string(),
                Some(BfString::String(text)) => text,
                None => continue,
            };
            let width = match &**glyph {
                hayro_interpret::font::Glyph::Outline(glyph) => glyph.advance_width(),
                hayro_interpret::font::Glyph::Type3(glyph) => glyph.advance_width(),
            };
            let advance = match run.writing_mode() {
                WritingMode::Horizontal => f64::from(width.unwrap_or(500.0)) / 1000.0,
                WritingMode::Vertical => 1.0,
            };
            let transform = props.transform * glyph.transform();
            self.add_glyph(text, transform, advance, run.writing_mode());
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {
        self.count();
    }
    fn push_clip_path(&mut self, _: &ClipPath) {
        self.count();
    }
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {
        self.count();
    }
    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {
        self.count();
    }
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
